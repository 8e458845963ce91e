/** What to do about a message that is more than that: a text is not made a value, whatever JSON it holds. */
export const BEYOND_BOUNDS =
  'ask for a part of it, or have it sent as one text, which may hold any JSON, is kept whole and is read by its lines';
