import type { SnapshotBrand } from '../../src/domain/finalization/document-snapshot.js';

/** A green sign with white bars and transparent corners, as PNG. */
export const SAMPLE_LOGO =
  'data:image/png;base64,' +
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAgCAYAAADtwH1UAAAAXUlEQVR42u3YsQkAIAxFwdSZ0VWcPY4gpDAgF3jlb7zOCDd/uVfpfQAAAAAAAA' +
  'AAAAA8CAAArW5nDwCAPQAA9gAA2AMAYA8AgD2AfwDkNxSAAAAQAAACAEANADd3Bwobr7Fnrj/OAAAAAElFTkSuQmCC';

export const SAMPLE_BRAND: SnapshotBrand = { accentColor: '#0a7d5c', logo: SAMPLE_LOGO };
