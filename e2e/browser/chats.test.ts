import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Client, createClient } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { samplePdf } from '../../server/src/domains/documents/extraction/pdf.test-samples.ts'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath } from './chromium.ts'
import { Dashboard } from './dashboard.ts'
import { valueOn } from './in-page.ts'
import { asFile, chatClient, handbookPath } from './sample-chats.ts'

const handbook = readFileSync(handbookPath, 'utf8')
const buffer = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

describe.skipIf(!chromiumPath)('chats in the dashboard', () => {
  let dashboard: Dashboard
  let admin: Client
  let projectId: string
  let chatId: string
  let byKey: Client

  beforeAll(async () => {
    dashboard = await Dashboard.start()
    admin = createClient({ baseUrl: dashboard.server.url, adminToken })
  })
  beforeEach(async () => {
    projectId = (await admin.console.projects.create({ name: 'Ferry' })).project_id
    const chat = await admin.console.chats.create(projectId, { title: 'Handbook', publish: true })
    chatId = chat.chat_id
    byKey = await chatClient(admin, dashboard.server.url, chatId)
  })
  afterAll(() => dashboard?.stop())

  const open = (tab: string, options = {}) =>
    dashboard.open(`/projects/${projectId}/chats/${chatId}/${tab}`, options)
  const upload = (name: string, text: string, scopeValues = {}) =>
    byKey.documents.upload(chatId, { file: asFile(name, text), scopeValues })
  const row = (page: Page, name: RegExp) => page.getByRole('row', { name })
  const dialog = (page: Page) => page.getByRole('dialog')

  it('are listed with files, state and access, made, and deleted by their title', async () => {
    await upload('handbook.md', handbook)
    const { page, problems } = await dashboard.open(`/projects/${projectId}/chats`)
    await row(page, /Handbook 1 Published On gpt-4o-mini/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'New chat' }).click()
    await dialog(page).getByLabel('Title').fill('Price list')
    await dialog(page)
      .getByLabel(/Publish the default settings/)
      .uncheck()
    await dialog(page).getByRole('button', { name: 'Create chat' }).click()
    await page.getByRole('heading', { name: 'No files yet' }).waitFor()
    await page.getByRole('link', { name: 'Chats' }).last().click()
    await row(page, /Price list 0 Not published Off/).waitFor()

    await row(page, /Handbook/).click()
    await page.getByRole('navigation', { name: 'Chat' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Delete the chat…' }).click()
    await dialog(page)
      .getByText(/1 file with their chunks and relationships/)
      .waitFor()
    const confirm = dialog(page).getByRole('button', { name: 'Delete the chat' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog(page).getByLabel('Type “Handbook” to confirm').fill('Handbook')
    await confirm.click()
    await row(page, /Price list/).waitFor()
    expect(await row(page, /Handbook/).count()).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('show on the overview at once what was made elsewhere, with their numbers from one request', async () => {
    await upload('handbook.md', handbook)
    const { page, problems } = await dashboard.open(`/projects/${projectId}`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByRole('link', { name: /Handbook 1 document .*Published/ }).waitFor()
    await page.getByRole('link', { name: 'Chats' }).first().click()
    await page.getByRole('button', { name: 'New chat' }).click()
    await dialog(page).getByLabel('Title').fill('Price list')
    await dialog(page).getByRole('button', { name: 'Create chat' }).click()
    await page.getByRole('heading', { name: 'No files yet' }).waitFor()
    asked.length = 0
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: /Price list 0 documents .*Published/ }).waitFor()
    expect(asked.filter((path) => path.endsWith('/files'))).toEqual([])
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('take files by choice and by drop, a few at a time, tell of each, and go on elsewhere', async () => {
    const { page } = await open('files')
    await expectAccessible(page)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/upload_with_scopes', async (route) => {
      await held
      await route.continue()
    })
    await page
      .getByLabel('Files to upload')
      .setInputFiles([
        buffer('handbook.md', handbook),
        buffer('photo.png', 'no picture'),
        buffer('empty.txt', ''),
        buffer('fares.csv', 'who,price\nadult,12\n'),
      ])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    const item = (name: string) => uploads.getByRole('listitem').filter({ hasText: name })
    await item('fares.csv').getByText('Waiting').waitFor()
    expect(await uploads.getByText('Waiting').count()).toBe(1)
    await item('handbook.md').getByRole('progressbar').waitFor()
    await page.getByRole('link', { name: 'Scopes' }).click()
    await page.getByRole('heading', { name: 'Scopes' }).waitFor()
    await page.getByRole('link', { name: 'Files' }).click()
    await uploads.getByText('Uploading: 0 of 4 files done').waitFor()
    release()
    await uploads.getByText('4 uploads ended').waitFor()
    await item('handbook.md').getByText('Searchable in 5 chunks').waitFor()
    // Each failure in the server's own words.
    await item('photo.png')
      .getByText(/file type not supported; supported are pdf/)
      .waitFor()
    await item('empty.txt').getByText('the file is empty').waitFor()
    await item('photo.png').getByRole('button', { name: 'Try photo.png again' }).click()
    await item('photo.png')
      .getByText(/file type not supported/)
      .waitFor()
    await expectAccessible(page)

    await drop(page, 'copy.md', handbook)
    await item('copy.md').getByText('The same content was uploaded just before as handbook.md').waitFor()
    await uploads.getByRole('button', { name: 'Clear the list' }).click()
    await uploads.waitFor({ state: 'detached' })
    await row(page, /handbook\.md MD Searchable 1\.7 KB 5 –/).waitFor()
    await row(page, /fares\.csv/).waitFor()
    await page.getByRole('searchbox', { name: 'Search the files' }).fill('fare')
    await row(page, /handbook/).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('q')).toBe('fare')
    await page.reload()
    await row(page, /fares\.csv/).waitFor()
    expect(await row(page, /handbook/).count()).toBe(0)
    await page.context().close()
  })

  it('show how far the server is with a long file, also to another window', async () => {
    const pages = Array.from({ length: 1000 }, (_, page) => [
      { text: `Page ${page} of the log.`, x: 72, y: 700 },
    ])
    const { page } = await open('files')
    const { page: other } = await open('files')
    const pdf = { name: 'log.pdf', mimeType: 'application/pdf', buffer: Buffer.from(samplePdf(pages)) }
    await page.getByLabel('Files to upload').setInputFiles([pdf])
    const item = page.getByRole('listitem').filter({ hasText: 'log.pdf' })
    await item.getByText(/^is being read, page [\d,]+ of 1000$/).waitFor()
    await other.reload()
    await other.getByRole('progressbar', { name: 'Progress of log.pdf' }).waitFor()
    await item.getByText(/Searchable in/).waitFor()
    await row(other, /log\.pdf PDF Searchable .* 1,000/).waitFor()
    await page.context().close()
    await other.context().close()
  })

  it('ask for the scope values of files, as the chat defines them, and find files by them', async () => {
    await byKey.scopes.configure(chatId, {
      scopes: [
        { name: 'team', required: true },
        { name: 'year', type: 'number' },
        { name: 'old', type: 'boolean' },
      ],
    })
    const { page } = await open('files')
    await page.getByLabel('Files to upload').setInputFiles([buffer('a.md', 'One.'), buffer('b.md', 'Two.')])
    const send = dialog(page).getByRole('button', { name: 'Upload 2 files' })
    expect(await send.isDisabled()).toBe(true)
    await dialog(page).getByLabel('team (required)').fill('crew')
    await dialog(page).getByLabel('year').fill('2025')
    await dialog(page).getByLabel('old').selectOption('false')
    await expectAccessible(page)
    await send.click()
    await row(page, /a\.md.*old: false team: crew year: 2025/).waitFor()
    await row(page, /b\.md.*old: false team: crew year: 2025/).waitFor()
    const { files } = await byKey.documents.list(chatId)
    expect(files.map(({ scope_values }) => scope_values)).toEqual(
      Array(2).fill({ old: false, team: 'crew', year: 2025 }),
    )
    await page.getByRole('searchbox', { name: 'Search the files' }).fill('team:crew b.md')
    await row(page, /a\.md/).waitFor({ state: 'detached' })
    await row(page, /b\.md/).waitFor()
    await page.context().close()
  })

  it('open a file with its chunks, edit one, and delete the file, saying what goes', async () => {
    const { file_id } = await upload('handbook.md', handbook)
    const { page, problems } = await open('files')
    await row(page, /handbook/).click()
    const panel = page.getByRole('complementary', { name: 'handbook.md' })
    const third = panel.getByRole('article', { name: 'Chunk 3', exact: true })
    await third.getByText('Staff handbook of the Gullhaven ferry › Sickness').waitFor()
    await third.hover()
    await third.getByRole('button', { name: 'Edit chunk 3' }).click()
    const text = panel.getByLabel('Text of chunk 3')
    await text.fill('  ')
    expect(await panel.getByRole('button', { name: 'Save the chunk' }).isDisabled()).toBe(true)
    await text.fill('## Sickness\n\nCall the harbour office when you are ill.')
    await panel.getByRole('button', { name: 'Save the chunk' }).click()
    // The text stands in the form as well: it is saved when the form has gone.
    await text.waitFor({ state: 'detached' })
    await third.getByText('Call the harbour office when you are ill.').waitFor()
    const { results } = await byKey.answers.search(chatId, { query: 'harbour office ill' })
    expect(results[0]?.chunk_text).toContain('Call the harbour office')
    await expectAccessible(page)

    await panel.getByRole('button', { name: 'Delete the file' }).click()
    await dialog(page)
      .getByText(/This deletes the file, its 5 chunks/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Delete the file' }).click()
    await page.getByRole('heading', { name: 'No files yet' }).waitFor()
    await expect(byKey.documents.status(chatId, file_id)).rejects.toMatchObject({ status: 404 })
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('open a long document at a chunk that an address names, lit, with its neighbours dimmed', async () => {
    const parts = Array.from(
      { length: 250 },
      (_, n) => `# Part ${n}\n\n${`Lamp ${n} is blue. `.repeat(30)}\n`,
    )
    const { file_id, chunk_count } = await upload('lamps.md', parts.join('\n'))
    expect(chunk_count).toBe(250)
    const { chunks } = await byKey.documents.chunks(chatId, file_id, { offset: 217, limit: 1 })
    const { page, problems } = await open(`files?file=${file_id}&chunk=${chunks[0]?.chunk_id}`)
    const lit = page.locator('article[aria-current]')
    await lit.getByText('Lamp 217 is blue.').waitFor()
    expect(await lit.getAttribute('aria-label')).toBe('Chunk 218')
    await page.getByRole('article', { name: 'Chunk 217', exact: true }).waitFor()
    // In sight, not only in the page.
    await expect
      .poll(() =>
        valueOn(
          lit,
          'element.getBoundingClientRect().top > 0 && element.getBoundingClientRect().top < innerHeight',
        ),
      )
      .toBe(true)
    // Only what is in sight is in the page.
    expect(await page.locator('[data-document] article').count()).toBeLessThan(30)
    expect(problems).toEqual([])
    await page.context().close()

    const { page: gone } = await open(`files?file=${file_id}&chunk=nope`)
    await gone.getByText('The passage no longer exists').waitFor()
    await gone.context().close()
  })

  it('show how the draft differs, publish and unpublish it, and keep what was published', async () => {
    const { page } = await open('settings')
    await page.getByText(/The draft is published/).waitFor()
    await page.getByLabel('Temperature').fill('7')
    await page.getByLabel('Prompt').fill('Be brief.')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    // The server's words at the field, and what was typed stays.
    await page.getByText(/settings\.temperature must be/).waitFor()
    expect(await page.getByLabel('Temperature').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Prompt').inputValue()).toBe('Be brief.')
    await page.getByLabel('Temperature').fill('0.5')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('The draft differs in 2 settings').waitFor()
    const difference = page.getByRole('table', { name: 'Published and Draft' })
    expect(await difference.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Setting\s+Published\s+Draft/),
      expect.stringMatching(/Temperature\s+0\.7\s+0\.5/),
      expect.stringMatching(/Prompt\s+None\s+Be brief\./),
    ])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish the draft' }).click()
    await page.getByText(/The draft is published/).waitFor()
    expect((await admin.console.chats.get(chatId)).published_settings).toMatchObject({
      temperature: 0.5,
      custom_prompt: 'Be brief.',
    })

    const history = page.getByRole('region', { name: 'Publication history' })
    await history.getByText('Temperature, Prompt').waitFor()
    await history.locator('summary').nth(1).click()
    await history.getByRole('button', { name: 'Use as draft' }).click()
    await page.getByText('The draft differs in 2 settings').waitFor()
    expect(await page.getByLabel('Temperature').inputValue()).toBe('0.7')

    await page.getByRole('button', { name: 'Unpublish…' }).click()
    await dialog(page)
      .getByText(/Keys and users get no answers/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Unpublish' }).click()
    await page.getByText('Nothing is published').waitFor()
    await page.getByText('Not published').waitFor()
    await page.context().close()
  })

  it('choose the files that answers draw on, and the model', async () => {
    const { file_id } = await upload('handbook.md', handbook)
    await upload('other.md', 'Other.')
    const { page } = await open('settings')
    await page.getByLabel('Only chosen files').check()
    await page.getByLabel('handbook.md').check()
    await page.getByLabel('Model', { exact: true }).selectOption('cairn-extractive')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('The draft differs in 2 settings').waitFor()
    expect((await admin.console.chats.get(chatId)).settings).toMatchObject({
      context_files: [file_id],
      selected_model: 'cairn-extractive',
    })
    await page.context().close()
  })

  it('edit their scopes; what the server refuses is said at the scope', async () => {
    const { page } = await open('scopes')
    await page.getByText('No scopes are configured').waitFor()
    await page.getByRole('button', { name: 'Add a scope' }).click()
    await page.getByRole('button', { name: 'Add a scope' }).click()
    const scope = (number: number) => page.getByRole('group', { name: `Scope ${number}` })
    await scope(1).getByLabel('Name').fill('team')
    await scope(1).getByLabel('Required').check()
    await scope(2).getByLabel('Name').fill('1st year')
    await scope(2).getByLabel('Type').selectOption('number')
    await page.getByRole('button', { name: 'Save the scopes' }).click()
    await scope(2)
      .getByText(/invalid scope name "1st year": it must start with a letter/)
      .waitFor()
    await expectAccessible(page)
    await scope(2).getByLabel('Name').fill('year')
    await scope(2).getByLabel('Description').fill('Of the season')
    await page.getByRole('button', { name: 'Save the scopes' }).click()
    await expect
      .poll(async () => (await byKey.scopes.list(chatId)).scopes)
      .toEqual([
        { name: 'team', type: 'string', required: true },
        { name: 'year', type: 'number', required: false, description: 'Of the season' },
      ])
    await page.getByRole('button', { name: 'Clear all…' }).click()
    await dialog(page)
      .getByText(/2 scopes \(team, year\) will no longer be defined/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Clear the configuration' }).click()
    await page.getByText('No scopes are configured').waitFor()
    await page.context().close()
  })

  it('switch API access, make keys that are shown once, and revoke them', async () => {
    const { page, problems } = await open('api')
    await page.getByRole('row', { name: /intranet/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'New key' }).click()
    await dialog(page).getByLabel('Name').fill('website')
    await dialog(page)
      .getByLabel(/^write/)
      .uncheck()
    await dialog(page).getByRole('button', { name: 'Create key' }).click()
    await dialog(page).getByText('it is not shown again').waitFor()
    const apiKey = (await dialog(page).locator('code').innerText()).trim()
    expect(apiKey).toMatch(/^tk_/)
    await dialog(page).getByRole('button', { name: 'I have copied it' }).click()
    const made = page.getByRole('row', { name: /website/ })
    expect(await made.innerText()).toContain(apiKey.slice(-4))
    expect(await page.content()).not.toContain(apiKey)
    const client = createClient({ baseUrl: dashboard.server.url, apiKey })
    expect((await client.chats.info(chatId)).title).toBe('Handbook')
    await expect(client.scopes.clear(chatId)).rejects.toMatchObject({ status: 403 })
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    const script = (await page.getByRole('tabpanel').locator('pre').innerText()).replace(
      'YOUR_API_KEY',
      apiKey,
    )
    const args = ['--input-type=module-typescript', '-e', script]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain('Nothing relevant')

    await page.getByRole('switch').click()
    await expect.poll(async () => (await admin.console.chats.get(chatId)).api_access_enabled).toBe(false)
    await expect(client.chats.info(chatId)).rejects.toMatchObject({ status: 403 })
    await made.getByRole('button', { name: 'Revoke website' }).click()
    await dialog(page)
      .getByText(`ends in ${apiKey.slice(-4)} will be rejected`)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Revoke the key' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await made.waitFor({ state: 'detached' })
    await expect(client.chats.info(chatId)).rejects.toMatchObject({ status: 401 })
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('fit a phone and the dark, and teach when there are none', async () => {
    await upload('handbook.md', handbook, { team: 'crew' })
    for (const tab of ['files', 'settings', 'scopes', 'api']) {
      const { page } = await open(tab, { width: 390, height: 844, dark: true })
      await page.getByRole('heading', { name: 'Handbook' }).waitFor()
      await page.locator('[role=status][aria-label^=Loading]').first().waitFor({ state: 'detached' })
      await expectAccessible(page)
      await page.context().close()
    }
    const { project_id: emptyId } = await admin.console.projects.create({ name: 'Empty' })
    const { page } = await dashboard.open(`/projects/${emptyId}/chats`)
    await page.getByRole('heading', { name: 'No chats yet' }).waitFor()
    await expectAccessible(page)
    await page.context().close()
  })
})

/** Drops a file onto the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const files = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], '${name}')); return data })()`,
  )
  const target = page.locator('main table')
  await target.dispatchEvent('dragenter', { dataTransfer: files })
  await page.getByText('Drop to upload').waitFor()
  await target.dispatchEvent('drop', { dataTransfer: files })
}
