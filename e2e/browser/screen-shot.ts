import type { Client } from '@cairn/sdk'
import type { Page } from 'playwright-core'
import type { ChatSample } from './sample-chats.ts'
import type { TestsSample } from './sample-tests.ts'
import type { SampleTraces } from './sample-traces.ts'

/** The sample data of the screens, created once through the API. */
export interface Sample {
  client: Client
  /** A project with data of every kind. */
  projectId: string
  /** An empty project. */
  emptyProjectId: string
  /** Three versions, oldest first. */
  versionIds: string[]
  traces: SampleTraces
  tests: TestsSample
  chats: ChatSample
  /** A chat with relationships of every kind, and a chat without documents. */
  graphChatId: string
  emptyChatId: string
  /** An application with users. */
  appId: string
}

export interface ScreenShot {
  name: string
  path: (sample: Sample) => string
  /** Steps before the screenshot: waits, clicks and inputs. */
  prepare: (page: Page, sample: Sample) => Promise<unknown>
  /** Whether the guides contain it, as `docs/guides/screens/<name>.png`. */
  inGuides?: boolean
}
