import { DefaultNamingStrategy } from 'typeorm';
import { camelToSnake } from './rows/camel-to-snake.js';

/** Property `tenantId` is column `tenant_id`. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return camelToSnake([...prefixes, customName ?? propertyName].join('_'));
  }
}
