/** The package ships no types; these are the functions used here. */
declare module 'fs-native-extensions' {
  /** Takes a lock on the whole file, exclusive unless shared; false when another open file has it. */
  export function tryLock(fd: number, options?: { shared?: boolean }): boolean;
}
