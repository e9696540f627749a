import { EmbeddedBus } from '../src/index.js';
import { testPostgresUrl } from '@kontor/testing';
import { busContract } from './bus-contract.js';
busContract('embedded', () => new EmbeddedBus(), testPostgresUrl);
