export { type StdioOptions, stdioChannel } from './channel.ts';
export { type ClaimedStdout, claimStdout } from './claim-stdout.ts';
