export { type JsonLinesOptions, jsonLinesChannel } from './channel.ts';
export { type Parsed, parseMessage, type Refusal } from './parse-message.ts';
export { readInTurns, readLine } from './read-line.ts';
