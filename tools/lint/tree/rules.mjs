import { fileCycles, roomCycles } from './import-cycles.mjs';
import { incompleteLocks, inexactVersions, unknownLicences, unsafePackages } from './packages.mjs';
import { unpassedSettings } from './passed-settings.mjs';
import { privateEnglish } from './plain-documents.mjs';
import { brokenReferences } from './references.mjs';
import { lostSignposts } from './signposts.mjs';

/** Rules that need to see more than one file: from the tree to what is wrong with it. */
export const treeRules = {
  fileCycles,
  roomCycles,
  brokenReferences,
  lostSignposts,
  privateEnglish,
  incompleteLocks,
  inexactVersions,
  unknownLicences,
  unsafePackages,
  unpassedSettings,
};
