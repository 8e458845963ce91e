export { memoryChannelPair } from './channel-pair.ts';
