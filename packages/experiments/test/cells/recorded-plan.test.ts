import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { PLAN_FORMAT, readPlan, writtenPlan, type RecordedPlan } from '../../src/cells/recorded-plan.ts';

const text = readFileSync(join(import.meta.dirname, '../fixtures/golden.yaml'), 'utf8');
const config = parseConfig(text, 'golden.yaml');
const { cells } = planExperiment(config, 'golden.yaml');
const plan: RecordedPlan = { format: PLAN_FORMAT, config, configFile: 'golden.yaml', cells };

/** From a journal of version 0.1.0 before the data cell's items were renamed, with today's names of draws. */
const WRITTEN =
  '{"series":0,"holds":"sets","spec":{"kind":"segmented","blanketRate":1},"data":{"holds":"sets","key":"1a9f56bff8962d4a","file":null,"fileDigest":null,"users":300,"domain":19,"simulation":"aggregated","seed":"golden","config":{"kind":"msnbc-like","items":3,"padding":"dummy"},"itemsPerUser":3,"shares":[0.5,0.5]},"levels":[1,2],"delta":0.000033333333333333335,"trials":12,"postprocess":"none","oneOfSweep":true,"sweep":{"blanketRate":1},"id":"b50a9ef14b806d43","streamLabel":"0b1f1e980731930f"}';

it('writes the bytes of its format, and reads what was written before', () => {
  const written = JSON.parse(JSON.stringify(writtenPlan(plan))) as RecordedPlan;
  expect(JSON.stringify(written.cells[0])).toBe(WRITTEN);
  expect(readPlan(written)).toEqual(JSON.parse(JSON.stringify(plan)));
});
