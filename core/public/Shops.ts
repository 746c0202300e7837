/** Stores whose data is kept apart. */
export {
  getShop as get,
  listShops as list,
  purgeRemovedShops as purge,
  putShop as put,
  removeShop as remove,
} from "../usecases/ManageShops.ts"
