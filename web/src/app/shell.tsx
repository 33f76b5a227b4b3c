import './shell.css'
import type { ReactNode } from 'react'
import { serverAddress } from '../client.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** Sidebar, top bar and the place for a page's content. */
export function Shell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="shell">
      <nav className="sidebar" aria-label="Main">
        <a className="brand" href="/">
          <img src="/favicon.svg" alt="" width="20" height="20" />
          Cairn
        </a>
        <ul>
          <li>
            <a href="/" aria-current="page">
              Overview
            </a>
          </li>
          <li>
            <a href="/docs">API reference</a>
          </li>
          <li>
            <a href="/openapi.json">openapi.json</a>
          </li>
        </ul>
      </nav>
      <header className="topbar">
        <h1>{title}</h1>
        <span className="address">
          <code>{serverAddress}</code>
          <CopyButton text={serverAddress} label="Copy the server's address" />
        </span>
      </header>
      <main>{children}</main>
    </div>
  )
}
