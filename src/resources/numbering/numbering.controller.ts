import { Body, Get, Put } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { NextNumberResponse, NumberingResponse, UpdateNumberingBody } from './numbering.dto.js';
import { NumberingService } from './numbering.service.js';

@TenantController('file-types/:fileTypeId', 'File types')
export class NumberingController {
  constructor(private readonly numberings: NumberingService) {}

  @Get('numbering')
  @Endpoint({
    operation: 'GetFileTypeNumbering',
    summary: 'Get the pattern of the numbers of new files of a type',
    permission: 'fileTypes.read',
    returns: NumberingResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('fileTypeId') fileTypeId: string) {
    return this.numberings.get(caller, fileTypeId);
  }

  @Put('numbering')
  @Endpoint({
    operation: 'UpdateFileTypeNumbering',
    summary: 'Set the pattern of the numbers of new files of a type',
    description:
      'A counter belongs to the pattern with year and month filled in. So it starts again when these change, and file types with the same pattern share one.',
    permission: 'fileTypes.manage',
    returns: NumberingResponse,
    entityTag: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @PathId('fileTypeId') fileTypeId: string,
    @Body() body: UpdateNumberingBody,
  ) {
    return this.numberings.update(caller, fileTypeId, body);
  }

  @Get('next-number')
  @Endpoint({
    operation: 'GetNextFileNumber',
    summary: 'Show the number that the next file of a type would get',
    description: 'Takes nothing: another caller can get the number first.',
    permission: 'files.create',
    codes: ['numbering.none', 'numbering.exhausted'],
    returns: NextNumberResponse,
  })
  nextNumber(@CurrentCaller() caller: Caller, @PathId('fileTypeId') fileTypeId: string) {
    return this.numberings.nextNumber(caller, fileTypeId);
  }
}
