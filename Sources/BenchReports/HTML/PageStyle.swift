// SPDX-License-Identifier: MIT

/// The style sheet of a page: light and dark, wide and narrow, without anything from outside.
enum PageStyle {
    /// Colors of a page, by the names of their variables.
    typealias Colors = KeyValuePairs<String, String>

    /// Colors on light ground, and on paper.
    ///
    /// Words and curves have a contrast of 4.5 to 1 or more with `bg` and `panel`.
    static let light: Colors = [
        "bg": "#fcfcfb", "panel": "#f2f3f1", "rule": "#d9dde2", "fg": "#1c2024", "soft": "#59616b", "c0": "#1f5fa8",
        "c1": "#b04a0a", "c2": "#0d726b", "c3": "#7a3e9d", "c4": "#a3264f", "c5": "#5a6470",
    ]
    /// Colors on dark ground, with the same contrast.
    static let dark: Colors = [
        "bg": "#15181b", "panel": "#1e2226", "rule": "#353b42", "fg": "#e6e8ea", "soft": "#a3abb4", "c0": "#82b6f0",
        "c1": "#f0a264", "c2": "#5fcbc1", "c3": "#cba6e8", "c4": "#f293b0", "c5": "#b1bac4",
    ]

    private static func variables(_ colors: Colors) -> String {
        colors.map { "--\($0.key):\($0.value)" }.joined(separator: ";")
    }

    /// CSS, with both kinds of colors.
    static let css = """
        :root{color-scheme:light dark;\(variables(light))}
        @media screen and (prefers-color-scheme:dark){:root{\(variables(dark))}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
        body{margin:0;background:var(--bg);color:var(--fg);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,
        "Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
        header,main,footer{max-width:74rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
        header{padding-top:clamp(1.5rem,5vw,3.5rem)}
        footer{padding-top:1rem;padding-bottom:3rem;color:var(--soft);font-size:.875rem}
        h1{font-size:clamp(1.6rem,4.5vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:.2em 0 .3em;font-weight:680}
        h2{font-size:1.4rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 .5rem}
        h1,h2,h3,nav li,dt,dd,li a{overflow-wrap:anywhere;min-width:0}
        h3{font-size:1rem;margin:2rem 0 .5rem}
        p,ul{margin:.4rem 0 .8rem;max-width:46rem}
        ul{padding-left:1.2rem}
        a{color:var(--c0);text-underline-offset:.2em}
        :focus-visible{outline:3px solid var(--c0);outline-offset:3px;border-radius:2px}
        .skip{position:absolute;left:-100vw}
        .skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem 1rem;z-index:1}
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .key{display:inline-block;width:28px;height:12px;margin-right:.45em;vertical-align:-1px}
        .kicker,.soft,figcaption,dt{color:var(--soft);font-size:.875rem}
        .kicker{margin:0}
        nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;max-width:none;font-size:.9375rem}
        section{padding:2.2rem 0 .8rem;border-top:1px solid var(--rule);margin-top:1.6rem}
        main>section:first-child{border-top:0;padding-top:.6rem;margin-top:0}
        .answers{display:grid;gap:1.5rem 2.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr))}
        .answer{border-left:4px solid var(--c,var(--rule));padding-left:1rem}
        .answer p{margin:.1rem 0}
        .big{font-size:clamp(2.6rem,7vw,3.6rem);line-height:1.1;font-weight:700;letter-spacing:-.03em}
        .charts{display:grid;gap:1rem 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr))}
        .one{grid-template-columns:minmax(0,1fr)}
        .charts svg,.cost>svg{width:100%;max-width:34rem}
        figure{margin:0 0 1rem}
        .cost{display:grid;gap:1rem 2.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));
        align-items:center}
        .key-list ul,.key-list ol{padding-left:0;margin:.4rem 0}
        .key-list ol{padding-left:2rem}
        .key-list ul{list-style:none}
        svg{display:block;height:auto;overflow:visible}
        svg text{font-size:12px;fill:var(--soft)}
        .charts text{font-size:13px}
        svg .strong{fill:var(--fg);font-weight:600}
        svg .name{fill:var(--c);font-weight:600}
        svg path{fill:none}
        .grid{stroke:var(--rule);stroke-width:1}
        .axis,.tick{stroke:var(--soft);stroke-width:1}
        .reference{stroke:var(--soft);stroke-dasharray:3 4}
        .line{stroke:var(--c);stroke-width:2;stroke-linejoin:round}
        .thin{stroke-width:1;opacity:.5}.front{stroke-width:2.6}
        .d1 .line{stroke-dasharray:7 3}.d2 .line{stroke-dasharray:2.5 2.5}.d3 .line{stroke-dasharray:9 3 2 3}
        svg .mark{fill:var(--c);stroke:var(--bg);stroke-width:1}
        svg .hollow{fill:var(--bg);stroke:var(--c);stroke-width:1.6}
        svg .anchor{fill:var(--soft)}
        .leader{stroke:var(--c);stroke-width:1}
        svg .bar{fill:var(--c)}
        svg .p{opacity:.72}
        svg .b{fill:var(--bg);stroke:var(--c);stroke-width:.8}
        .s0{--c:var(--c0)}.s1{--c:var(--c1)}.s2{--c:var(--c2)}.s3{--c:var(--c3)}.s4{--c:var(--c4)}.s5{--c:var(--c5)}
        .scroll{overflow-x:auto;margin:.5rem 0 1rem;--edge:color-mix(in srgb,var(--fg) 22%,transparent);
        background:linear-gradient(90deg,var(--bg) 40%,transparent) 0/2rem 100% no-repeat local,
        linear-gradient(270deg,var(--bg) 40%,transparent) 100%/2rem 100% no-repeat local,
        linear-gradient(90deg,var(--edge),transparent) 0/.6rem 100% no-repeat,
        linear-gradient(270deg,var(--edge),transparent) 100%/.6rem 100% no-repeat}
        .strips svg{width:100%;min-width:44rem}
        table{border-collapse:separate;border-spacing:0;font-size:.9375rem;overflow-wrap:normal}
        th,td{padding:.3rem 1.4rem .3rem 0;text-align:left;vertical-align:baseline;white-space:nowrap}
        th:last-child,td:last-child{padding-right:0}
        thead th{color:var(--soft);font-weight:500;border-bottom:1px solid var(--soft)}
        tbody th{font-weight:500;min-width:8rem}
        .ladder tbody th{min-width:0}
        tbody tr+tr>*{border-top:1px solid var(--rule)}
        .n{text-align:right}
        .shares{width:100%}
        .shares .bars{width:55%;min-width:9rem}
        .shares .name{white-space:normal;min-width:9rem;overflow-wrap:anywhere}
        .shares tr.all>*{font-weight:680;border-top:2px solid var(--soft)}
        .track{position:relative;height:1.1rem;background:linear-gradient(var(--rule),var(--rule)) 0 50%/100% 1px no-repeat}
        .track i{position:absolute;top:.15rem;height:.8rem;width:1px;background:var(--rule)}
        .track b{position:absolute;top:.45rem;height:.2rem;background:var(--c);opacity:.55;border-radius:.1rem}
        .track .cut::after{content:"";position:absolute;right:0;top:-.2rem;border:.3rem solid transparent;
        border-left-color:var(--c);border-right:0}
        .track u{position:absolute;top:.22rem;width:.66rem;height:.66rem;margin-left:-.33rem;background:var(--c);
        border-radius:50%}
        .scale{position:relative;height:1.3rem}
        .scale span{position:absolute;bottom:0;transform:translateX(-50%)}
        .scale span:first-child{transform:none}
        .pictures{display:grid;gap:.8rem 1rem;grid-template-columns:repeat(3,minmax(0,1fr))}
        .pictures figure{margin:0 0 .7rem}
        .pictures img{display:block;width:100%;height:auto;background:#808080}
        .pictures figcaption b{color:var(--c,var(--fg))}
        details{margin:1rem 0}
        summary{cursor:pointer;font-weight:600}
        pre{margin:.3rem 0;font:.875rem/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,monospace;overflow-wrap:normal}
        dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.3rem 1.5rem;margin:.8rem 0}
        dd{margin:0;min-width:0}
        dd .scroll{margin:0}
        @media (max-width:44rem){.pictures{grid-template-columns:1fr}dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}
        th,td{padding-right:.8rem}tbody th{white-space:normal;min-width:8rem;overflow-wrap:anywhere}
        .scroll tbody th{position:sticky;left:0;background:var(--bg)}
        .shares thead th:first-child{width:0;padding:0;font-size:0}
        .shares tr{display:grid;grid-template-columns:minmax(0,1fr) 4.5rem 8.2rem;align-items:center}
        .shares tr>*{border:0}.shares tr{border-top:1px solid var(--rule)}.shares tr.all{border-top:2px solid var(--soft)}
        .shares tr.all>*{border:0}.shares thead tr{border-top:0;border-bottom:1px solid var(--soft)}
        .shares .name,.shares thead th:first-child{grid-column:1/-1}.shares .bars{width:auto;min-width:0}}
        @media print{nav,.skip{display:none}body{font-size:10.5pt;background:none}td.soft{font-size:inherit}header,main,footer{max-width:none;padding:0}
        a{color:inherit;text-decoration:none}h2,h3{break-after:avoid}figure,.answer,tr,svg,img{break-inside:avoid}
        section{padding-top:1rem}section[id^=clip]{break-before:page}.scroll{overflow:visible;background:none}
        table{font-size:8.5pt}th,td{padding-right:.7rem}tbody th{white-space:normal}pre{white-space:pre-wrap}
        .strips svg{min-width:0}.pictures{grid-template-columns:repeat(3,minmax(0,1fr))}
        .track,.track *,img{print-color-adjust:exact}details::details-content{content-visibility:visible;display:block}}

        """
}
