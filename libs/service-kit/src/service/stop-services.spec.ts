import { expect, it } from '@jest/globals';
import { type RunningService, STOP_STEPS, stopServices } from './stop-services.js';

it('steps that hang share one limit, so that all are begun before the process gives up', async () => {
  const begun: string[] = [];
  const left: string[] = [];
  const hang = (step: string) => () => {
    begun.push(step);
    return new Promise<void>(() => undefined);
  };
  const service = {
    steps: Object.fromEntries(STOP_STEPS.map((step) => [step, hang(step)])),
    kit: { log: { warn: ({ step }: { step: string }) => left.push(step) } },
  } as unknown as RunningService;
  await stopServices([service], 100);
  expect([begun, left]).toEqual([[...STOP_STEPS], [...STOP_STEPS]]);
}, 60_000);
