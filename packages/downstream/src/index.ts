export type { OAuthSettings, ServerSettings, ToolboxSettings, ToolOverride } from './settings.ts';
