import { describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { ListQuery } from '../http/list-query.js';
import { Operation } from '../http/operation.js';
import { List } from '../http/route-params.js';
import { openApiDocument } from './openapi-document.js';

class ThingDto {
  @IsString()
  owner!: string;
}

@Controller('things')
class Things {
  @Post()
  @Operation({
    id: 'createThing',
    summary: 'Creates one',
    tag: 'Things',
    permission: null,
    success: 201,
    response: { $id: 'Thing', type: 'object', properties: { owner: { type: 'object' } } },
    examples: { request: { owner: 'x' }, response: { owner: {} } },
  })
  create(@Body() body: ThingDto): unknown {
    return body;
  }

  @Get()
  @Operation({ id: 'listThings', summary: 'All of them', tag: 'Things', permission: null })
  list(@List({ others: { colour: 'text' } }) list: ListQuery): unknown {
    return list;
  }

  @Delete()
  @Operation({ id: 'deleteThings', summary: 'Removes them', tag: 'Things', permission: null, success: 204 })
  remove(@List({ others: { colour: 'text' }, paged: false }) list: ListQuery): unknown {
    return list;
  }

  @Get(':token/page')
  @Operation({ id: 'thingPage', summary: 'A page', tag: 'Things', permission: null, responseType: 'text/html' })
  page(): string {
    return '';
  }
}

describe('OpenAPI document', () => {
  it('distinguishes a resource from the body that creates it, though both have one name', () => {
    const { paths, components } = openApiDocument('things', [Things]);
    expect(paths['/things']!['post']).toMatchObject({
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/ThingInput' }, example: { owner: 'x' } },
        },
      },
      responses: {
        201: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' }, example: { owner: {} } } },
        },
      },
    });
    expect(components.schemas['Thing']).toMatchObject({ properties: { owner: { type: 'object' } } });
    expect(components.schemas['ThingInput']).toMatchObject({
      required: ['owner'],
      properties: { owner: { type: 'string' } },
    });
    expect(JSON.stringify(components)).not.toContain('~');
  });

  it('shows pages where a list is answered, and nowhere else', () => {
    const things = openApiDocument('things', [Things]).paths['/things'] as Record<
      string,
      { parameters: { name: string }[] }
    >;
    const namesOf = (verb: string): string[] => things[verb]!.parameters.map(({ name }) => name);
    expect(namesOf('get')).toEqual(['page', 'limit', 'colour']);
    expect(namesOf('delete')).toEqual(['colour']);
  });

  it('says that a page answers with a page, also where something is wrong', () => {
    const { responses } = openApiDocument('things', [Things]).paths['/things/{token}/page']!['get'] as {
      responses: Record<string, { content: object }>;
    };
    for (const status of ['404', '400'])
      expect(Object.keys(responses[status]!.content)).toEqual(['application/problem+json', 'text/html']);
  });
});
