import type { PipelineName, PipelineTemplate, Stage } from './stages.ts';
import { audit } from './templates/audit.ts';
import { dev } from './templates/dev.ts';
import { general } from './templates/general.ts';
import { greenfield } from './templates/greenfield.ts';

/** In the order in which they are named to people. */
export const pipelines: readonly PipelineTemplate[] = [dev, audit, greenfield, general];

export function pipelineNamed(name: PipelineName): PipelineTemplate {
  const found = pipelines.find((template) => template.name === name);
  if (!found) throw new Error(`no pipeline ${name}`); // its name is checked by the schema of whoever asks
  return found;
}

/** The stages that are done; in quick mode, those that are left out are stepped over. */
export function stagesOf({ stages }: PipelineTemplate, quickMode: boolean): readonly Stage[] {
  if (!quickMode) return stages;
  const isLeftOut = (id: string) => stages.some((stage) => stage.id === id && stage.isLeftOutWhenQuick);
  const reach = (id: string): string[] =>
    isLeftOut(id) ? (stages.find((stage) => stage.id === id)?.needs ?? []).flatMap(reach) : [id];
  return stages
    .filter(({ id }) => !isLeftOut(id))
    .map((stage) => ({ ...stage, needs: [...new Set(stage.needs.flatMap(reach))] }));
}
