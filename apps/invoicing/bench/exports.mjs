// Row of `npm run bench`: the export for auditors beside tar over the same files. Run it alone with `npm run bench -- exports`;
// `BENCH_DOCUMENTS=1000` for fewer.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chargesDueV1 } from '@kontor/contracts';
import { interleaved, rateOf } from '../../../bench/report.mjs';
import { DraftCharges } from '../dist/charges/draft-charges.js';
import { ExportDocuments } from '../dist/exports/export-documents.js';
import { RenderFiles } from '../dist/media/render-files.js';
import { tenantOf, withService } from './invoicing-service.mjs';

const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 10_000);
const PAGE = 250;

/** Documents of one line each, with their files. */
async function issue(service, tenant) {
  const { database } = service.kit;
  for (let first = 0; first < DOCUMENTS; first += PAGE) {
    const charges = Array.from({ length: PAGE }, (_, i) => ({
      ...chargesDueV1.example,
      batchId: randomUUID(),
      groupingKey: randomUUID(),
      customerId: tenant.customers[i],
      lines: [{ ...chargesDueV1.example.lines[0], chargeId: randomUUID(), taxGroupId: tenant.group }],
    }));
    await database.tenant(tenant.id, (tx) => service.get(DraftCharges).execute(tx, charges));
  }
  const invoices = await database.tenant(tenant.id, (tx) => tx.query('SELECT id FROM invoice ORDER BY id'));
  for (let first = 0; first < invoices.length; first += PAGE) {
    const ids = invoices.slice(first, first + PAGE).map(({ id }) => id);
    const [failure] = await service.get(RenderFiles).execute(tenant.id, ids);
    if (failure) throw failure.error;
  }
}

async function bytesOf(stream) {
  let count = 0;
  for await (const chunk of stream) count += chunk.length;
  return count;
}

async function measure(service) {
  const tenant = await tenantOf(service, PAGE);
  await issue(service, tenant);
  const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const files = service.kit.config.blobDir;
  const variants = {
    exported: () =>
      rateOf(DOCUMENTS, async () => {
        const archive = await service.get(ExportDocuments).execute(tenant.id, { from: day(-1), to: day(1) });
        // Each document has a PDF and an e-invoice.
        if ((await bytesOf(archive)) < DOCUMENTS * 20_000) throw new Error('the archive is too small');
      }),
    tar: () =>
      rateOf(DOCUMENTS, async () => {
        const tar = spawn('tar', ['-cf', '-', '.'], { cwd: files, stdio: ['ignore', 'pipe', 'inherit'] });
        if ((await bytesOf(tar.stdout)) < DOCUMENTS * 20_000) throw new Error('these are not the files');
      }),
  };
  for (const variant of Object.values(variants)) await variant();
  const { exported, tar } = await interleaved(variants, 3);
  return [
    {
      name: `export of ${DOCUMENTS.toLocaleString('en')} documents, beside tar`,
      measured: exported,
      limit: tar,
      goal: 0.5,
      unit: 'documents/s',
    },
  ];
}

export const run = () => withService(4, measure);
