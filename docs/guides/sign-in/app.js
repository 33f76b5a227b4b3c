import { CairnApiError } from '@cairn/sdk'
import { createCairn } from './cairn.js'
import { byId, make } from './dom.js'
import { showFiles } from './files.js'
import { takeQuestions } from './questions.js'
import { beginSignIn, explain, finishSignIn, signOut } from './session.js'

/** @import { Session } from './session.js' */

const welcome = byId('welcome', HTMLElement)
const workspace = byId('workspace', HTMLDivElement)
const account = byId('account', HTMLDivElement)
const problems = byId('problems', HTMLDivElement)

/** @type {{ cairn: string, appId: string, issuer: string, clientId: string }} */
const settings = await (await fetch('settings.json')).json()

/**
 * @param {unknown} error
 * @param {string} [about]
 */
function showProblem(error, about) {
  problems.append(make('p', {}, about ? `${about}: ${explain(error)}` : explain(error)))
}

// An error stays visible until the next action of the user.
for (const type of ['click', 'drop', 'submit']) {
  document.addEventListener(type, () => problems.replaceChildren(), { capture: true })
}

/** @param {Session} session */
function enter({ idToken, name }) {
  const left = new AbortController()
  const cairn = createCairn({ url: settings.cairn, appId: settings.appId, idToken, signal: left.signal })

  function leave() {
    left.abort()
    for (const id of ['files', 'conversation', 'name']) byId(id, HTMLElement).replaceChildren()
    showSignedOut()
  }

  /**
   * @param {unknown} error
   * @param {string} [about]
   */
  function report(error, about) {
    if (left.signal.aborted) return
    // The token has expired, or the application was disabled.
    if (error instanceof CairnApiError && error.status === 401) leave()
    showProblem(error, about)
  }

  byId('name', HTMLSpanElement).textContent = name
  byId('sign-out', HTMLButtonElement).onclick = () => {
    leave()
    signOut(settings).catch(showProblem)
  }
  welcome.hidden = true
  account.hidden = false
  workspace.hidden = false
  showFiles(cairn, report)
  takeQuestions(cairn, report)
}

function showSignedOut() {
  workspace.hidden = true
  account.hidden = true
  welcome.hidden = false
}

byId('sign-in', HTMLButtonElement).onclick = () => {
  beginSignIn(settings).catch(showProblem)
}

try {
  const session = await finishSignIn(settings)
  if (session) enter(session)
  else showSignedOut()
} catch (error) {
  showSignedOut()
  showProblem(error)
}
