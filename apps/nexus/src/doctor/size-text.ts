const KB = 1024;
const MB = 1024 ** 2;
const GB = 1024 ** 3;

/** `12 KB`, `0.8 MB`, `412 MB`, `73.5 GB`. Never 0 of something: a file of a few bytes has a KB. */
export function sizeText(bytes: number): string {
  if (bytes < MB / 10) return `${Math.ceil(bytes / KB)} KB`;
  if (bytes < GB) return `${(bytes / MB).toFixed(bytes < 100 * MB ? 1 : 0)} MB`;
  return `${(bytes / GB).toFixed(1)} GB`;
}
