export type { ProcessGuard } from './cli/run-program.ts';
export { createModels, type ModelsOptions } from './create-models.ts';
export type { ModelOverride, ModelsSettings, ProviderSettings } from './settings.ts';
