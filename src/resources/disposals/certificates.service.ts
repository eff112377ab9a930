import { Injectable } from '@nestjs/common';
import { type Language } from '../../common/messages/languages.js';
import { Problem } from '../../common/problem.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type CertificateResponse, presentCertificate } from './certificates.dto.js';
import { CertificatesRepository } from './certificates.repository.js';
import { DisposalsRepository } from './disposals.repository.js';

@Injectable()
export class CertificatesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly disposals: DisposalsRepository,
    private readonly certificates: CertificatesRepository,
  ) {}

  get(caller: Caller, id: string, language: Language): Promise<CertificateResponse> {
    return this.uow.read(caller, async (tx) => {
      const disposal = await this.disposals.get(tx, id);
      if (disposal.status !== 'Completed') throw new Problem('disposal.not-completed');
      const type = await this.certificates.fileType(tx, disposal.fileTypeId);
      const actors = await this.certificates.actors(tx, id);
      return presentCertificate(disposal, type, actors, await this.certificates.files(tx, id), language);
    });
  }
}
