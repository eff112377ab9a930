import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Whether the service takes requests: not before it has started, not once it is stopping, not without database. */
@Injectable()
export class Readiness {
  private stopping = false;

  constructor(private readonly dataSource: DataSource) {}

  stop(): void {
    this.stopping = true;
  }

  async isReady(): Promise<boolean> {
    if (this.stopping) return false;
    try {
      await this.dataSource.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }
}
