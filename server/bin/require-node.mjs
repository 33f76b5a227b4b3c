// Plain JavaScript without newer syntax, so that an old Node runs it far enough to say what is wrong.
const [major] = process.versions.node.split('.').map(Number)

if (major < 24) {
  process.stderr.write(
    `Cairn needs Node 24 and this is Node ${process.versions.node}.\n` +
      'Node 24 comes with the dependencies. In the repository: run "npm ci" (without --omit=optional), then "npm start". ' +
      'With the package: run "npx cairn serve".\n',
  )
  process.exit(1)
}
