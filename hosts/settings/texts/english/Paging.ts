/** The texts of searches and of pages of lists. */
export const paging = {
  search: "Search",
  stores: "Id or domain, from its beginning",
  tokens: "Name, or the last four characters",
  noneFound: "Nothing found",
  tryAnother: (search: string) => `Nothing matches “${search}”.`,
  showAll: "Show all",
  pages: "Pages",
  first: "First page",
  next: "Next page",
}
