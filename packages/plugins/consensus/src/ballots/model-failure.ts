/** Whether an error is a model's failure, which costs its answer alone; any other is the run's. */
export function isOfModel(code: string): boolean {
  return code.startsWith('NEXUS_MODEL_') || code === 'NEXUS_NO_MODEL' || code === 'NEXUS_TIMEOUT';
}
