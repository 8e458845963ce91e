/** The package ships no types; these are the two functions used here. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on the whole file; false when another open file holds it. */
  export function tryLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
