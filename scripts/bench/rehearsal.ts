/** Whether only it is asked that everything can be measured, not what it costs. */
export const isRehearsal = process.argv.includes('--rehearse');

/** How many, how often or how long: the whole of it for a figure, and so little where it is only rehearsed. */
export function inRehearsal(little: number, whole: number): number {
  return isRehearsal ? little : whole;
}
