/** Stores whose data is kept apart. */
export {
  deleteShop as delete,
  getShop as get,
  listShops as list,
  purgeRemovedShops as purge,
  putShop as put,
} from "../usecases/shops/ManageShops.ts"
