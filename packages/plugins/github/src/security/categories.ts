export const CATEGORIES = [
  'dependency_updates',
  'dependency_review',
  'code_scanning',
  'secret_scanning',
  'containers',
  'workflow_linting',
  'scorecard',
] as const;

export type Category = (typeof CATEGORIES)[number];
