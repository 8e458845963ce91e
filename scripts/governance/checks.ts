import type { Check } from './check.ts';
import { configKeys } from './checks/config-keys.ts';
import { dependencyReasons } from './checks/dependency-reasons.ts';
import { distinctDescriptions } from './checks/distinct-descriptions.ts';
import { environmentVariables } from './checks/environment-variables.ts';
import { errorTableParity } from './checks/error-table.ts';
import { fileNames } from './checks/file-names.ts';
import { frontPage } from './checks/front-page.ts';
import { generatedDocs } from './checks/generated-docs.ts';
import { hidingCatches } from './checks/hiding-catches.ts';
import { layers } from './checks/layers.ts';
import { limits } from './checks/limits.ts';
import { linearPatterns } from './checks/linear-patterns.ts';
import { liveTools } from './checks/live-tools.ts';
import { manifests } from './checks/manifests.ts';
import { measuredGuards } from './checks/measured-guards.ts';
import { ownSentences } from './checks/own-sentences.ts';
import { pluginLayout } from './checks/plugin-layout.ts';
import { portableSchemas } from './checks/portable-schemas.ts';
import { runsOfTools } from './checks/runs-of-tools.ts';
import { shownByTests } from './checks/shown-by-tests.ts';
import { sourceText } from './checks/source-text.ts';
import { startedPrograms } from './checks/started-programs.ts';
import { structure } from './checks/structure-page.ts';
import { tokenBudget } from './checks/token-budget.ts';
import { toolAnnotations } from './checks/tool-annotations.ts';
import { toolsOfPlugins } from './checks/tools-of-plugins.ts';
import { waysOut } from './checks/ways-out.ts';

/** Every check, in the order in which a reader of its findings would mend them. */
export const checks: readonly Check[] = [
  manifests,
  fileNames,
  pluginLayout,
  sourceText,
  linearPatterns,
  hidingCatches,
  ownSentences,
  limits,
  layers,
  startedPrograms,
  waysOut,
  toolsOfPlugins,
  runsOfTools,
  structure,
  errorTableParity,
  toolAnnotations,
  portableSchemas,
  distinctDescriptions,
  tokenBudget,
  environmentVariables,
  configKeys,
  dependencyReasons,
  frontPage,
  shownByTests,
  measuredGuards,
  generatedDocs,
  liveTools,
];
