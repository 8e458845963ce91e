/** Which part of a list is wanted; its total counts all. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
