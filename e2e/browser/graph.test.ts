import { type Client, createClient, type GraphNode } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken } from '../support/server.ts'
import { expectAccessible } from './accessible.ts'
import { chromiumPath, softwareWebgl } from './chromium.ts'
import { Dashboard, type ScreenOptions } from './dashboard.ts'
import { valueOn } from './in-page.ts'
import { makeGraphChat } from './sample-graph.ts'

describe.skipIf(!chromiumPath)('the graph explorer', () => {
  let dashboard: Dashboard
  let client: Client
  let projectId: string
  let chatId: string

  beforeAll(async () => {
    dashboard = await Dashboard.start({}, ...softwareWebgl)
    client = createClient({ baseUrl: dashboard.server.url, adminToken })
    projectId = (await client.console.projects.create({ name: 'Graph' })).project_id
    chatId = await makeGraphChat(client, dashboard.server.url, projectId)
  }, 60_000)
  afterAll(() => dashboard?.stop())

  const open = async (search = '', options: ScreenOptions = {}) => {
    const screen = await dashboard.open(`/projects/${projectId}/graph?chat=${chatId}${search}`, options)
    return { ...screen, problems: () => screen.problems.filter((text) => !text.includes('GPU stall')) }
  }
  const drawn = (page: Page) => page.locator('[data-state="drawn"]').waitFor()
  const graph = () => client.graph.read(chatId)
  const textOf = ({ properties }: GraphNode) => String(properties.text ?? properties.filename)
  const nodeWith = async (words: string) => {
    const found = (await graph()).nodes.find((node) => textOf(node).includes(words))
    if (!found) throw new Error(`no node holds ${words}`)
    return found
  }
  const finder = (page: Page) => page.getByRole('combobox', { name: 'Find chunks and documents' })
  const param = (page: Page, name: string) => new URL(page.url()).searchParams.getAll(name)
  const picture = async (page: Page) => {
    // What flies has arrived.
    await page.waitForTimeout(700)
    return page.getByRole('application').screenshot()
  }
  /** What the panel leaves free of it. */
  const beside = async (page: Page) => {
    await picture(page)
    const box = await page.getByRole('application').boundingBox()
    if (!box) throw new Error('there is no graph')
    return page.screenshot({ clip: { ...box, width: box.width - 420 } })
  }

  it('draws documents and chunks, and finds one by its words, flying there', async () => {
    const { page, problems } = await open()
    await drawn(page)
    const { nodes, relationships } = await graph()
    await page.getByText(`${nodes.length} nodes, ${relationships.length} relationships`).waitFor()
    const before = await picture(page)
    const wanted = await nodeWith('forty buckets')
    await finder(page).fill('forty buckets')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    await finder(page).press('Enter')
    await page.getByRole('heading', { name: /^Chunk/ }).waitFor()
    expect(param(page, 'node')).toEqual([wanted.id])
    const after = await picture(page)
    expect(await differs(page, before, after)).toBe(true)
    // It has flown to the middle of what the panel leaves free: a click there is one on the node.
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('heading', { name: /^Chunk/ }).waitFor({ state: 'detached' })
    const box = await page.getByRole('application').boundingBox()
    if (!box) throw new Error('there is no graph')
    await page.mouse.click(box.x + (box.width - 400) / 2, box.y + box.height / 2)
    await page.getByRole('heading', { name: /^Chunk/ }).waitFor()
    expect(param(page, 'node')).toEqual([wanted.id])
    expect(problems()).toEqual([])
    await page.context().close()
  })

  it('hides types and unsure relationships; the address keeps it, and nothing moves', async () => {
    const { page } = await open()
    await drawn(page)
    const before = await picture(page)
    // Each type has the colour that its button shows.
    const types = ['EXPLAINS', 'SUPPORTS', 'ELABORATES', 'INTRODUCES', 'CONCLUDES']
    const background = 'getComputedStyle(element).backgroundColor'
    const drawnTypes = async () => {
      const shot = await picture(page)
      const found = await Promise.all(
        types.map(async (type) => {
          const mark = page.getByRole('button', { name: type, exact: true }).locator('[data-mark]')
          return (await pixelsOf(page, shot, String(await valueOn(mark, background)))) > 5 ? type : []
        }),
      )
      return found.flat()
    }
    expect(await drawnTypes()).toEqual(types)
    await page.getByLabel(/Confidence/).fill('1')
    await expect.poll(() => param(page, 'min')).toEqual(['1'])
    expect(await drawnTypes()).toEqual([])
    await page.getByLabel(/Confidence/).fill('0')
    await page.getByRole('button', { name: 'ELABORATES' }).click()
    expect(param(page, 'hide')).toEqual(['ELABORATES'])
    expect(await drawnTypes()).toEqual(types.filter((type) => type !== 'ELABORATES'))
    await page.getByLabel(/Confidence/).fill('0.9')
    await page.reload()
    await drawn(page)
    expect(await differs(page, before, await picture(page))).toBe(true)
    await page.getByRole('button', { name: 'ELABORATES' }).click()
    await page.getByLabel(/Confidence/).fill('0')
    await expect.poll(() => param(page, 'min')).toEqual([])
    await page.mouse.move(0, 0)
    expect(await differs(page, before, await picture(page))).toBe(false)
    await page.context().close()
  })

  it('puts everything at the same place again after a reload', async () => {
    const { page } = await open()
    await drawn(page)
    const before = await picture(page)
    await page.reload()
    await drawn(page)
    expect(await differs(page, before, await picture(page))).toBe(false)
    await page.context().close()
  })

  it('zooms by buttons and keys, and shows all again', async () => {
    const { page } = await open()
    await drawn(page)
    const before = await picture(page)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const near = await picture(page)
    expect(await differs(page, before, near)).toBe(true)
    await page.getByRole('application').focus()
    await page.keyboard.press('ArrowRight')
    expect(await differs(page, near, await picture(page))).toBe(true)
    await page.keyboard.press('0')
    await page.evaluate('document.activeElement.blur()')
    await page.mouse.move(0, 0)
    expect(await differs(page, before, await picture(page))).toBe(false)
    await page.context().close()
  })

  it('is drawn anew in the colours of the other theme', async () => {
    const { page } = await open()
    await drawn(page)
    const light = await picture(page)
    const lightAccent = await accentOf(page)
    expect(await pixelsOf(page, light, lightAccent)).toBeGreaterThan(500)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await picture(page)
    expect(await pixelsOf(page, dark, lightAccent)).toBe(0)
    expect(await pixelsOf(page, dark, await accentOf(page))).toBeGreaterThan(500)
    await expectAccessible(page)
    await page.context().close()
  })

  it('shows the neighbours of a node in more and more steps', async () => {
    const { page } = await open(`&node=${(await nodeWith('forty buckets')).id}`)
    await drawn(page)
    const one = await beside(page)
    await page.getByRole('button', { name: '3 steps' }).click()
    expect(param(page, 'reach')).toEqual(['3'])
    expect(await differs(page, one, await beside(page))).toBe(true)
    await page.getByRole('button', { name: '1 step' }).click()
    expect(await differs(page, one, await beside(page))).toBe(false)
    await page
      .getByRole('region', { name: 'Relationships' })
      .getByRole('listitem')
      .first()
      .getByRole('button')
      .last()
      .click()
    await expect.poll(() => param(page, 'node')).not.toEqual([(await nodeWith('forty buckets')).id])
    await page.goBack()
    expect(param(page, 'node')).toEqual([(await nodeWith('forty buckets')).id])
    await page.context().close()
  })

  it('draws a part of a large graph, and more when asked', async () => {
    const { nodes } = await graph()
    const { page } = await open('&show=10')
    await drawn(page)
    await page.getByText(`10 of ${nodes.length} nodes`).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText(`${nodes.length} nodes,`).waitFor()
    await page.context().close()
  })

  it('says the same as a list, which can be filtered and used by keyboard', async () => {
    const { page, problems } = await open('', { width: 390, height: 844 })
    await page.getByRole('tab', { name: 'List' }).click()
    await finder(page).fill('forty buckets')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Chunk/ }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await finder(page).fill('')
    await page.getByRole('button', { name: 'Relationships', exact: true }).click()
    for (const type of ['HAS_CHUNK', 'NEXT', 'ELABORATES', 'INTRODUCES', 'CONCLUDES', 'EXPLAINS']) {
      await page.getByRole('button', { name: type, exact: true }).click()
    }
    const supports = (await graph()).relationships.filter(({ type }) => type === 'SUPPORTS')
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + supports.length)
    await expectAccessible(page)
    expect(problems()).toEqual([])
    await page.context().close()
  })

  it('creates, edits and deletes a relationship', async () => {
    const source = await nodeWith('forty buckets')
    const { page } = await open(`&node=${source.id}`)
    await page.getByRole('button', { name: 'Relate to…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('EXPLAINS')
    await dialog.getByRole('combobox', { name: 'Find the other chunk' }).fill('hundred')
    await dialog.getByRole('listbox').getByRole('option').first().click()
    await dialog.getByLabel('Confidence').fill('0.8')
    await dialog.getByLabel('Reason').fill('Both count buckets')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create relationship' }).click()
    await page.getByRole('heading', { name: 'EXPLAINS' }).waitFor()
    const [id = ''] = param(page, 'relationship')
    const stored = async () => (await graph()).relationships.find((one) => one.id === id)
    expect(await stored()).toMatchObject({
      source: source.id,
      type: 'EXPLAINS',
      properties: { confidence: 0.8, reason: 'Both count buckets' },
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Confidence', { exact: true }).fill('0.4')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('0.40').first().waitFor()
    expect((await stored())?.properties.confidence).toBe(0.4)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('This deletes the relationship').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete relationship' }).click()
    await expect.poll(stored).toBeUndefined()
    await page.context().close()
  })

  it('edits a chunk, watches its relationships come anew, and leads to its document', async () => {
    const { id } = await nodeWith('eight times a minute')
    const { page } = await open(`&node=${id}`)
    await drawn(page)
    const link = page.getByRole('link', { name: 'Open in document' })
    const target = new URL((await link.getAttribute('href')) ?? '', dashboard.server.url)
    expect(target.pathname).toBe(`/projects/${projectId}/chats/${chatId}/files`)
    expect(target.searchParams.get('chunk')).toBe(id)
    await page.getByRole('button', { name: 'Edit text' }).click()
    const before = (await graph()).relationships.length
    await page.getByLabel('Text').fill('Tomatoes want nine hours of sun.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Relating the chunks of 1 document').waitFor()
    await page.getByRole('region', { name: 'Text' }).getByText('nine hours of sun').waitFor()
    await page.getByText('Relating the chunks').waitFor({ state: 'detached' })
    const { relationships } = await graph()
    // Else nothing would be seen to come.
    expect(relationships.length).not.toBe(before)
    await page.getByText(`, ${relationships.length} relationships`).waitFor()
    expect((await client.graph.node(id)).properties.text).toContain('nine hours')
    await page.context().close()
  })

  it('deletes a document after saying what goes with it', async () => {
    const { nodes, relationships } = await graph()
    const document = await nodeWith('tides.md')
    const chunks = relationships.filter(({ type, source }) => type === 'HAS_CHUNK' && source === document.id)
    const { page } = await open(`&node=${document.id}`)
    await drawn(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText(`${chunks.length} chunks`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete document' }).click()
    await page.getByText(`${nodes.length - chunks.length - 1} nodes,`).waitFor()
    await expect(client.graph.node(document.id)).rejects.toMatchObject({ status: 404 })
    await page.context().close()
  })

  it('teaches what belongs here where a chat, or a project, has nothing', async () => {
    const empty = await client.console.projects.create({ name: 'Empty' })
    const { page } = await dashboard.open(`/projects/${empty.project_id}/graph`)
    await page.getByText('No chats yet').waitFor()
    await expectAccessible(page)
    await client.console.chats.create(empty.project_id, { title: 'Bare' })
    await page.reload()
    await page.getByText('This chat has no documents').waitFor()
    await expectAccessible(page)
    await page.context().close()
  })
})

/** The colour of documents. */
function accentOf(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(document.createElement('span'))
    probe.style.color = 'var(--accent)'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })()`)
}

/** How many pixels of a picture have a colour, or nearly. */
function pixelsOf(page: Page, png: Buffer, colour: string): Promise<number> {
  const src = JSON.stringify(`data:image/png;base64,${png.toString('base64')}`)
  return page.evaluate<number>(`(async () => {
    const image = new Image()
    image.src = ${src}
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    const context = canvas.getContext('2d')
    context.fillStyle = ${JSON.stringify(colour)}
    context.fillRect(0, 0, 1, 1)
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    let count = 0
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 20) count++
    }
    return count
  })()`)
}

/** Whether two pictures of one size differ in more than a rim of some line. */
async function differs(page: Page, first: Buffer, second: Buffer): Promise<boolean> {
  const [a, b] = [first, second].map((png) =>
    JSON.stringify(`data:image/png;base64,${png.toString('base64')}`),
  )
  const share = await page.evaluate<number>(`(async () => {
    const [a, b] = await Promise.all([${a}, ${b}].map(async (src) => {
      const image = new Image()
      image.src = src
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      return context.getImageData(0, 0, image.width, image.height).data
    }))
    let count = 0
    for (let i = 0; i < a.length; i += 4) {
      if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 60) count++
    }
    return count / (a.length / 4)
  })()`)
  return share > 0.0005
}
