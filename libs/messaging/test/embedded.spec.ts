import { EmbeddedBus } from '@kontor/messaging';
import { testPostgresUrl } from '@kontor/testing';
import { busContract } from './bus-contract.js';
busContract('embedded', () => new EmbeddedBus(), testPostgresUrl);
