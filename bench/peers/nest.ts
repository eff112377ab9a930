/** A minimal Nest application on Express with a database; the reference for the start time of the service. */
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { readSettings } from './settings.js';

const pool = new pg.Pool({ connectionString: readSettings().databaseUrl });

@Controller()
class HelloController {
  @Get('hello')
  async hello() {
    const { rows } = await pool.query<{ hello: number }>('SELECT 1 AS hello');
    return rows[0];
  }
}

@Module({ controllers: [HelloController] })
class HelloModule {}

const app = await NestFactory.create(HelloModule, { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
