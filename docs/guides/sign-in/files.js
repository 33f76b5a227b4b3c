import { byId, make } from './dom.js'

/** @import { Cairn, StoredFile } from './cairn.js' */

const list = byId('files', HTMLUListElement)
const none = byId('no-files', HTMLParagraphElement)
const progress = byId('progress', HTMLParagraphElement)
const picker = byId('picker', HTMLInputElement)
const drop = byId('drop', HTMLLabelElement)

const size = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
  notation: 'compact',
})

/**
 * Shows the user's files and uploads new ones.
 *
 * @param {Cairn} cairn
 * @param {(error: unknown, about?: string) => void} report
 */
export function showFiles(cairn, report) {
  /** @param {StoredFile} file */
  function row(file) {
    const { file_id, filename, size_bytes } = file
    const button = make('button', { type: 'button', textContent: 'Delete', ariaLabel: `Delete ${filename}` })
    button.onclick = async () => {
      if (!confirm(`Delete ${filename}? This cannot be undone.`)) return
      button.disabled = true
      await attempt(filename, 'was deleted', () => cairn.files.delete(file_id))
      picker.focus()
    }
    const name = make('span', { className: 'filename' }, filename)
    return make('li', {}, name, make('small', {}, size.format(size_bytes)), button)
  }

  async function refresh() {
    try {
      const { files } = await cairn.files.list()
      list.replaceChildren(...files.map(row))
      none.hidden = files.length > 0
    } catch (error) {
      report(error)
    }
  }

  /**
   * @param {string} filename
   * @param {string} done
   * @param {() => Promise<unknown>} change
   */
  async function attempt(filename, done, change) {
    try {
      await change()
      progress.textContent = `${filename} ${done}.`
    } catch (error) {
      progress.textContent = ''
      report(error, filename)
    }
    await refresh()
  }

  /** @param {Iterable<File>} files Uploaded in order; a rejected file does not stop the others. */
  async function upload(files) {
    for (const file of files) {
      progress.textContent = `Uploading ${file.name} …`
      await attempt(file.name, 'can be asked about', () => cairn.files.upload({ file }))
    }
  }

  picker.onchange = async () => {
    await upload([...(picker.files ?? [])])
    picker.value = ''
  }
  drop.ondragover = (event) => {
    event.preventDefault()
    drop.classList.add('over')
  }
  drop.ondragleave = () => drop.classList.remove('over')
  drop.ondrop = (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    void upload([...(event.dataTransfer?.files ?? [])])
  }
  void refresh()
}
