/** A file that can't be compared as it is, with the reason for the caller. */
export class Refusal extends Error {}
