import { type BrowserContext, type Download, type Locator, type Page } from 'playwright-core';

export interface Answer {
  readonly status: number;
  /** As shown on the page. */
  readonly headers: string;
  readonly body: string;
}

/** Page object of Swagger UI. It uses only what a new user sees. */
export class DocumentationPage {
  /** Errors on the console: violations of the content security policy, and exceptions. */
  readonly consoleErrors: string[] = [];

  private constructor(
    private readonly page: Page,
    private readonly context: BrowserContext,
  ) {
    page.on('pageerror', ({ message }) => this.consoleErrors.push(message));
    page.on('console', (message) => {
      // Chromium also logs every error status. The tests expect some.
      const isErrorStatus = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isErrorStatus) this.consoleErrors.push(message.text());
    });
  }

  static async open(context: BrowserContext, url: string): Promise<DocumentationPage> {
    const documentation = new DocumentationPage(await context.newPage(), context);
    await documentation.page.goto(url);
    await documentation.waitUntilLoaded();
    return documentation;
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.waitUntilLoaded();
  }

  /** In page order. */
  async groups(): Promise<(string | null)[]> {
    const groups = await this.page.locator('.opblock-tag').all();
    return Promise.all(groups.map((group) => group.getAttribute('data-tag')));
  }

  introduction(): Promise<string> {
    return this.page.locator('.info').innerText();
  }

  /** Width of the page, and background of the window. */
  layout(): Promise<{ width: number; background: string }> {
    return this.page.evaluate(
      `({ width: document.documentElement.scrollWidth,
          background: getComputedStyle(document.documentElement).backgroundColor })`,
    );
  }

  /** Titles of the forms of the dialog *Authorize*. */
  async logins(): Promise<string[]> {
    await this.page.click('.btn.authorize');
    const titles = await this.page.locator('.auth-container h4').allInnerTexts();
    await this.page.click('.close-modal');
    return titles;
  }

  async logIn(subject: string): Promise<void> {
    const form = this.page.locator('.auth-container').first();
    await this.authorize(form, (login) => login.click(`button[value="${subject}"]`));
  }

  /** Logs in at an external issuer that Swagger UI finds by discovery. */
  async logInAtIssuer(name: string): Promise<void> {
    const form = this.page.locator('.auth-container', { hasText: 'authorization_code' });
    await this.authorize(form, async (login) => {
      await login.fill('input[name="login"]', name);
      await login.fill('input[name="password"]', 'x');
      await login.click('button[type="submit"]');
    });
  }

  private async authorize(form: Locator, logIn: (login: Page) => Promise<void>): Promise<void> {
    await this.page.click('.btn.authorize');
    const opened = this.context.waitForEvent('page');
    await form.locator('.modal-btn.authorize').click();
    await logIn(await opened);
    await this.page.locator('.modal-btn', { hasText: 'Logout' }).waitFor();
    await this.page.click('.close-modal');
  }

  async waitUntilLoggedIn(): Promise<void> {
    await this.page.locator('.btn.authorize.locked').waitFor();
  }

  /** Opens an operation with its example values. */
  async operation(group: string, name: string): Promise<Operation> {
    const block = this.page.locator(`[id="operations-${group.replaceAll(' ', '_')}-${name}"]`);
    const isThere = () => block.count().then((count) => count > 0);
    if (!(await isThere())) await this.page.locator(`.opblock-tag[data-tag="${group}"]`).click();
    await block.waitFor();
    if ((await block.locator('.execute').count()) === 0)
      await block.locator('.opblock-summary-control').click();
    await block.locator('.execute').waitFor();
    return new Operation(this.page, block);
  }

  private async waitUntilLoaded(): Promise<void> {
    await this.page.locator('.opblock-tag').first().waitFor();
  }
}

export class Operation {
  constructor(
    private readonly page: Page,
    readonly block: Locator,
  ) {}

  summary(): Promise<string> {
    return this.block.locator('.opblock-summary').innerText();
  }

  /** Text of a status in the list of responses. */
  problem(status: string): Promise<string> {
    return this.documented(status).innerText();
  }

  /** Colors of the text and the button of a status in the list of responses. */
  async colors(status: string): Promise<string[]> {
    const id = await this.block.getAttribute('id');
    return this.page.evaluate<string[]>(
      `[...document.querySelectorAll('#${id} .response[data-code="${status}"] :is(.problem p, .problem .btn)')]
        .map((element) => getComputedStyle(element).color)`,
    );
  }

  async showExample(status: string): Promise<void> {
    await this.documented(status).locator('button', { hasText: 'Example' }).click();
    await this.documented(status).locator('.example').waitFor();
  }

  private documented(status: string): Locator {
    return this.block.locator(`.responses-table:not(.live-responses-table) .response[data-code="${status}"]`);
  }

  /** The curl command of the request. */
  snippet(): Promise<string> {
    return this.block.locator('.request-snippets').innerText();
  }

  async fill(parameter: string, value: string): Promise<void> {
    await this.block.locator(`tr[data-param-name="${parameter}"] input`).fill(value);
  }

  value(parameter: string): Promise<string> {
    return this.block.locator(`tr[data-param-name="${parameter}"] input`).inputValue();
  }

  async fillBody(json: string): Promise<void> {
    await this.block.locator('textarea.body-param__text').fill(json);
  }

  /** Sends the request and reads the answer from the page. */
  async send(): Promise<Answer> {
    const answered = this.page.waitForResponse((response) => response.url().includes('/api/v1/'));
    await this.block.locator('.execute').click();
    await (await answered).finished();
    const answer = this.block.locator('.live-responses-table').first();
    await answer.waitFor();
    await this.block.locator('.loading-container').waitFor({ state: 'detached' });
    return {
      status: parseInt(await answer.locator('.response-col_status').last().innerText(), 10),
      headers: (await answer.locator('.response-col_description .headerline').allInnerTexts()).join('\n'),
      body: await answer.locator('.response-col_description').last().innerText(),
    };
  }

  async download(): Promise<Download> {
    const started = this.page.waitForEvent('download');
    await this.block.locator('.live-responses-table a[download]').first().click();
    return started;
  }
}
