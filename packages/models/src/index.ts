export { type CreatedModels, createModels, type ModelsOptions } from './create-models.ts';
export type { ModelOverride, ModelsSettings, ProviderSettings } from './settings.ts';
