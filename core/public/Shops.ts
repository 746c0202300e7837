/** Stores whose data is kept apart. */
export { getShop as get, listShops as list, putShop as put } from "../usecases/ManageShops.ts"
