import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** Offers and carts of a merged customer are the other one's. */
@Injectable()
export class MoveSales extends CustomerMover {
  readonly rows = [
    { object: 'offer', table: 'offer' },
    { object: 'cart', table: 'cart' },
  ];
}
