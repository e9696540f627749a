// Proves that the lint rules of the architecture bite: every canary must be refused by exactly the rule it breaks.
import { ESLint } from 'eslint';

const canaries = [
  { file: 'apps/billing/src/canary.ts', code: "import {} from '@kontor/payments';\nexport {};\n", rule: '@nx/enforce-module-boundaries' },
  { file: 'libs/money/src/canary.ts', code: "import {} from '@kontor/kernel';\nexport {};\n", rule: '@nx/enforce-module-boundaries' },
  {
    file: 'libs/messaging/src/canary.ts',
    code: "import {} from '@kontor/persistence';\nexport {};\n",
    rule: '@nx/enforce-module-boundaries',
  },
  { file: 'apps/billing/src/domain/canary.ts', code: 'export const now = () => new Date();\n', rule: 'no-restricted-syntax' },
  { file: 'apps/billing/src/domain/canary.ts', code: 'export const wait = async () => undefined;\n', rule: 'no-restricted-syntax' },
  { file: 'apps/billing/src/domain/canary.ts', code: "export { Injectable } from '@nestjs/common';\n", rule: 'no-restricted-imports' },
  { file: 'libs/tax/src/canary.ts', code: 'export const dice = () => Math.random();\n', rule: 'no-restricted-syntax' },
];

const eslint = new ESLint();
let failed = 0;
for (const { file, code, rule } of canaries) {
  const [result] = await eslint.lintText(code, { filePath: file });
  if (!result.messages.some((message) => message.ruleId === rule)) {
    failed += 1;
    console.error(`canary not refused: ${file} should break ${rule}`);
  }
}
console.log(`lint canaries: ${canaries.length - failed} of ${canaries.length} refused`);
process.exit(failed === 0 ? 0 : 1);
