/** As a model reads it: what is not certain is never rounded to it. */
export function saidConfidence(confidence: number): string {
  const shown = Number(confidence.toFixed(2));
  if (shown === 1 && confidence < 1) return '>0.99';
  return shown === 0 && confidence > 0 ? '<0.01' : String(shown);
}

/** The same with four digits, as a number. */
export function roundedConfidence(confidence: number): number {
  if (confidence === 0 || confidence === 1) return confidence;
  return Math.min(0.9999, Math.max(0.0001, Math.round(confidence * 10_000) / 10_000));
}
