import { Fragment } from "preact"

/** Texts in a row, each isolated by itself: none changes the direction of the others. */
export const Isolated = ({
  between = ", ",
  texts,
}: {
  readonly texts: ReadonlyArray<string>
  readonly between?: string
}) => (
  <>
    {texts.map((text, index) => (
      <Fragment key={index}>
        {index > 0 && between}
        <bdi>{text}</bdi>
      </Fragment>
    ))}
  </>
)

/** A link whose text is a name, isolated. */
export const NameLink = ({ href, name }: { readonly href: string; readonly name: string }) => (
  <a href={href}>
    <bdi>{name}</bdi>
  </a>
)
