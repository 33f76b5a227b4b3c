import type { Client } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import type { ChatSample } from './sample-chats.ts'
import type { TestsSample } from './sample-tests.ts'
import type { SampleTraces } from './sample-traces.ts'

/** What screens are shown with: made once, over the API. */
export interface Sample {
  client: Client
  /** A project full of everything. */
  projectId: string
  /** A project with nothing in it. */
  emptyProjectId: string
  /** Three versions, oldest first. */
  versionIds: string[]
  traces: SampleTraces
  tests: TestsSample
  chats: ChatSample
  /** A chat with relationships of every kind, and one without documents. */
  graphChatId: string
  emptyChatId: string
  /** An application with users. */
  appId: string
}

export interface ScreenShot {
  name: string
  path: (sample: Sample) => string
  /** What to wait for, and to click or fill before the picture is taken. */
  prepare: (page: Page, sample: Sample) => Promise<unknown>
  /** It illustrates the guides: `docs/guides/screens/<name>.png`. */
  inGuides?: boolean
}
