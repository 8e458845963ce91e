/**
 * The revisions with a handshake, the one asked for first in front: the SDK's own list, written out, since
 * loading the SDK's types for it would cost every start some hundred milliseconds.
 */
export const PROTOCOL_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;
