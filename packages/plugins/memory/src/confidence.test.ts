import { expect, it } from 'vitest';
import { roundedConfidence, saidConfidence } from './confidence.ts';

it.each([
  [1, '1', 1],
  [0.9975, '>0.99', 0.9975],
  [0.999999, '>0.99', 0.9999],
  [0.99, '0.99', 0.99],
  [0.3, '0.3', 0.3],
  [0.004, '<0.01', 0.004],
  [0.00001, '<0.01', 0.0001],
  [0, '0', 0],
])('%d is said as %s', (confidence, text, rounded) => {
  expect([saidConfidence(confidence), roundedConfidence(confidence)]).toEqual([text, rounded]);
});
