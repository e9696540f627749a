import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** A log is not rewritten: who reads the survivor's gets the entries of who was merged into it. */
@Injectable()
export class KeepLog extends CustomerMover {
  readonly rows = [];
}
