import process from 'node:process';

/**
 * How long this process has had a processor so far, in milliseconds: what work takes that holds the thread, whatever else
 * the machine does meanwhile.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
