import { byId, make } from './dom.js'

/** @import { Cairn, Citation, Message } from './cairn.js' */

const conversation = byId('conversation', HTMLDivElement)
const form = byId('ask', HTMLFormElement)
const field = byId('question', HTMLInputElement)
const send = byId('send', HTMLButtonElement)
const stop = byId('stop', HTMLButtonElement)

/**
 * Asks questions and shows their answers as they arrive.
 *
 * @param {Cairn} cairn
 * @param {(error: unknown) => void} report
 */
export function takeQuestions(cairn, report) {
  /** @type {Message[]} */
  const messages = []

  /** @param {string} question */
  async function ask(question) {
    const turn = showTurn(question)
    const stopped = new AbortController()
    stop.onclick = () => stopped.abort()
    const asked = /** @type {Message} */ ({ role: 'user', content: question })
    try {
      const question = { messages: [...messages, asked] }
      for await (const event of cairn.stream(question, { signal: stopped.signal })) {
        if (event.type === 'context') turn.citations = event.data
        if (event.type === 'content') turn.add(event.data)
        if (event.type === 'end') turn.addRating(ratingButtons(cairn, event.data.answer_id, report))
        if (event.type === 'error') throw new Error(event.data)
      }
      messages.push(asked, { role: 'assistant', content: turn.text })
    } catch (error) {
      if (!stopped.signal.aborted) report(error)
    } finally {
      turn.end()
    }
  }

  form.onsubmit = async (event) => {
    event.preventDefault()
    const question = field.value.trim()
    if (!question) return
    form.reset()
    setBusy(true)
    await ask(question)
    setBusy(false)
    field.focus()
  }
}

/** @param {boolean} isBusy */
function setBusy(isBusy) {
  send.hidden = isBusy
  stop.hidden = !isBusy
}

/** @param {string} question */
function showTurn(question) {
  const answer = make('p', { className: 'answer', ariaBusy: 'true', ariaLive: 'polite' })
  const sources = make('div', { className: 'sources' })
  const article = make('article', {}, make('h3', {}, question), answer, sources)
  conversation.append(article)
  return {
    text: '',
    citations: /** @type {Citation[]} */ ([]),
    /** @param {string} part */
    add(part) {
      this.text += part
      answer.textContent = this.text
    },
    /** @param {HTMLElement} buttons */
    addRating(buttons) {
      article.append(buttons)
    },
    /** A marker may arrive in two parts, so links are made when the text is complete. */
    end() {
      const cited = citedIn(this.text, this.citations)
      const shown = new Map(cited.map((index, place) => [index, source(place + 1, this.citations[index])]))
      answer.replaceChildren(...withLinks(this.text, shown))
      sources.replaceChildren(...shown.values())
      answer.ariaBusy = 'false'
    },
  }
}

/**
 * Thumbs that rate an answer. Another click on the same thumb takes the rating back.
 *
 * @param {Cairn} cairn
 * @param {string} answerId
 * @param {(error: unknown) => void} report
 */
function ratingButtons(cairn, answerId, report) {
  const thumbs = /** @type {const} */ ([
    ['up', '👍', 'Good answer'],
    ['down', '👎', 'Bad answer'],
  ])
  const buttons = thumbs.map(([rating, text, label]) => {
    const button = make('button', { type: 'button', ariaLabel: label, ariaPressed: 'false' }, text)
    button.onclick = async () => {
      const isTakenBack = button.ariaPressed === 'true'
      try {
        await cairn.feedback({ answerId, rating: isTakenBack ? 'none' : rating })
        for (const each of buttons) each.ariaPressed = String(each === button && !isTakenBack)
      } catch (error) {
        report(error)
      }
    }
    return button
  })
  return make('div', { className: 'row' }, ...buttons)
}

const marker = /\[\^(\d+)\]/

/**
 * Indexes of the citations in a text, in order.
 *
 * @param {string} text
 * @param {Citation[]} citations
 */
function citedIn(text, citations) {
  const named = [...text.matchAll(new RegExp(marker, 'g'))].map(([, index]) => Number(index))
  return [...new Set(named)].filter((index) => index in citations)
}

/**
 * @param {number} place
 * @param {Citation | undefined} citation
 */
function source(place, citation) {
  const title = make('summary', {}, `${place}. ${citation?.source}`)
  return make('details', {}, title, make('blockquote', {}, citation?.snippet || 'No excerpt is shown.'))
}

/**
 * The text, with a link to the source instead of each marker.
 *
 * @param {string} text
 * @param {Map<number, HTMLDetailsElement>} sources
 */
function withLinks(text, sources) {
  return text.split(/(\[\^\d+\])/).map((part) => {
    const details = sources.get(Number(marker.exec(part)?.[1]))
    if (!details) return part
    const place = [...sources.values()].indexOf(details) + 1
    const button = make('button', { type: 'button', className: 'citation', ariaLabel: `Source ${place}` })
    button.textContent = String(place)
    button.onclick = () => {
      details.open = true
      details.querySelector('summary')?.focus()
    }
    return button
  })
}
