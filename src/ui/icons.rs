//! The icons of the window, drawn as lines: crisp at every scale, in the colour of their place, and no
//! font has to have them.

use std::f32::consts::TAU;

use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, epaint::CubicBezierShape, vec2};

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// The page of traffic: two waves.
    Traffic,
    /// The page of the client: a triangle that points at the server.
    Client,
    /// The page of the server: an arrow there and one back.
    Server,
    /// The list of recordings: a panel at the left.
    PanelLeft,
    /// The light theme.
    Sun,
    /// The dark theme.
    Moon,
    /// The theme of the system.
    Screen,
    /// The sheet of keys.
    Keys,
    /// Search.
    Loupe,
    /// Clear, close.
    Cross,
    /// Follow the end.
    Follow,
    /// Stand still.
    Pause,
    /// Go on.
    Play,
    /// Copy.
    Copy,
    /// Side by side.
    Columns,
    /// One above the other.
    Stack,
    /// The whole message rather than its content.
    Braces,
    /// Something folded.
    Right,
    /// Something unfolded.
    Down,
    /// The one before.
    Up,
    /// One more.
    Plus,
    /// End something.
    Stop,
    /// Something about it deserves a look.
    Flag,
    /// Do it again.
    Again,
    /// How something behaves: sliders.
    Settings,
}

/// Draws an icon in the middle of `rect`, in a square of 16 points.
pub fn paint(painter: &Painter, rect: Rect, icon: Icon, colour: Color32) {
    let pen = Pen { painter, at: rect.center(), stroke: Stroke::new(1.4, colour), colour };
    match icon {
        Icon::Traffic => traffic(&pen),
        Icon::Client => {
            pen.line(&[vec2(-4.5, -6.0), vec2(6.0, 0.0), vec2(-4.5, 6.0), vec2(-4.5, -6.0), vec2(-3.0, -5.1)]);
        }
        Icon::Server => {
            pen.line(&[vec2(-6.0, -3.0), vec2(6.0, -3.0)]);
            pen.line(&[vec2(3.2, -5.8), vec2(6.0, -3.0), vec2(3.2, -0.2)]);
            pen.line(&[vec2(6.0, 3.2), vec2(-6.0, 3.2)]);
            pen.line(&[vec2(-3.2, 0.4), vec2(-6.0, 3.2), vec2(-3.2, 6.0)]);
        }
        Icon::PanelLeft => pen.frame_with(&[(vec2(-2.5, -5.5), vec2(-2.5, 5.5))]),
        Icon::Columns => pen.frame_with(&[(vec2(0.0, -5.5), vec2(0.0, 5.5))]),
        Icon::Stack => pen.frame_with(&[(vec2(-6.5, 0.0), vec2(6.5, 0.0))]),
        Icon::Sun => sun(&pen),
        Icon::Moon => moon(&pen),
        Icon::Screen => screen(&pen),
        Icon::Keys => keys(&pen),
        Icon::Loupe => {
            pen.circle(vec2(-1.0, -1.0), 4.0);
            pen.line(&[vec2(2.0, 2.0), vec2(5.5, 5.5)]);
        }
        Icon::Cross => {
            pen.line(&[vec2(-3.5, -3.5), vec2(3.5, 3.5)]);
            pen.line(&[vec2(3.5, -3.5), vec2(-3.5, 3.5)]);
        }
        Icon::Follow => {
            pen.line(&[vec2(0.0, -6.0), vec2(0.0, 3.0)]);
            pen.line(&[vec2(-3.5, -0.5), vec2(0.0, 3.0), vec2(3.5, -0.5)]);
            pen.line(&[vec2(-5.0, 6.0), vec2(5.0, 6.0)]);
        }
        Icon::Pause => {
            pen.line(&[vec2(-2.5, -4.5), vec2(-2.5, 4.5)]);
            pen.line(&[vec2(2.5, -4.5), vec2(2.5, 4.5)]);
        }
        Icon::Play => pen.line(&[vec2(-3.0, -5.0), vec2(5.0, 0.0), vec2(-3.0, 5.0), vec2(-3.0, -5.0)]),
        Icon::Copy => copy(&pen),
        Icon::Braces => braces(&pen),
        Icon::Right => pen.line(&[vec2(-1.5, -3.5), vec2(2.0, 0.0), vec2(-1.5, 3.5)]),
        Icon::Down => pen.line(&[vec2(-3.5, -1.5), vec2(0.0, 2.0), vec2(3.5, -1.5)]),
        Icon::Plus => {
            pen.line(&[vec2(-4.5, 0.0), vec2(4.5, 0.0)]);
            pen.line(&[vec2(0.0, -4.5), vec2(0.0, 4.5)]);
        }
        Icon::Stop => {
            let corners = [vec2(-4.0, -4.0), vec2(4.0, -4.0), vec2(4.0, 4.0), vec2(-4.0, 4.0), vec2(-4.0, -4.0)];
            pen.line(&corners);
        }
        Icon::Flag => {
            pen.line(&[vec2(-3.0, -5.0), vec2(-3.0, 5.5)]);
            pen.line(&[vec2(-3.0, -4.5), vec2(4.0, -4.5), vec2(2.0, -2.0), vec2(4.0, 0.5), vec2(-3.0, 0.5)]);
        }
        Icon::Settings => {
            for (y, x) in [(-4.0, -2.0), (0.0, 2.5), (4.0, -1.0)] {
                pen.line(&[vec2(-6.0, y), vec2(6.0, y)]);
                pen.dot(vec2(x, y), 2.0);
            }
        }
        Icon::Again => again(&pen),
        Icon::Up => pen.line(&[vec2(-3.5, 1.5), vec2(0.0, -2.0), vec2(3.5, 1.5)]),
    }
}

struct Pen<'a> {
    painter: &'a Painter,
    at: Pos2,
    stroke: Stroke,
    colour: Color32,
}

impl Pen<'_> {
    fn line(&self, points: &[Vec2]) {
        self.painter.add(Shape::line(points.iter().map(|point| self.at + *point).collect(), self.stroke));
    }

    fn circle(&self, centre: Vec2, radius: f32) {
        self.painter.circle_stroke(self.at + centre, radius, self.stroke);
    }

    fn dot(&self, centre: Vec2, radius: f32) {
        self.painter.circle_filled(self.at + centre, radius, self.colour);
    }

    fn curve(&self, points: [Vec2; 4]) {
        let points = points.map(|point| self.at + point);
        self.painter.add(CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, self.stroke));
    }

    fn frame_with(&self, lines: &[(Vec2, Vec2)]) {
        let frame = Rect::from_center_size(self.at, vec2(13.0, 11.0));
        self.painter.rect_stroke(frame, 2.0, self.stroke, eframe::egui::StrokeKind::Middle);
        for (from, to) in lines {
            self.line(&[*from, *to]);
        }
    }
}

fn traffic(pen: &Pen<'_>) {
    for y in [-4.0, 0.0, 4.0] {
        pen.curve([vec2(-7.0, y + 1.2), vec2(-3.5, y - 3.2), vec2(-3.5, y + 4.2), vec2(0.0, y)]);
        pen.curve([vec2(0.0, y), vec2(3.5, y - 4.2), vec2(3.5, y + 3.2), vec2(7.0, y - 1.2)]);
    }
}

fn sun(pen: &Pen<'_>) {
    pen.circle(Vec2::ZERO, 2.8);
    for ray in 0..8_u8 {
        let direction = Vec2::angled(TAU * f32::from(ray) / 8.0);
        pen.line(&[direction * 5.0, direction * 6.8]);
    }
}

fn moon(pen: &Pen<'_>) {
    // A circle of 5.5 from which one of 4.8, moved to the upper right, is taken away.
    let arc = |from: f32, to: f32, step: u8| Vec2::angled((from + (to - from) * f32::from(step) / 16.0).to_radians());
    let outer = (0..=16_u8).map(|step| arc(14.5, 255.5, step) * 5.5);
    let inner = (0..=16_u8).map(|step| vec2(2.5, -2.5) + arc(216.0, 54.0, step) * 4.8);
    // Two lines rather than one closed shape, whose tips would be drawn out to needles.
    pen.line(&outer.collect::<Vec<_>>());
    pen.line(&inner.collect::<Vec<_>>());
}

fn screen(pen: &Pen<'_>) {
    let frame = Rect::from_min_max(pen.at + vec2(-6.5, -5.5), pen.at + vec2(6.5, 3.0));
    pen.painter.rect_stroke(frame, 1.5, pen.stroke, eframe::egui::StrokeKind::Middle);
    pen.line(&[vec2(-3.0, 5.8), vec2(3.0, 5.8)]);
    pen.line(&[vec2(0.0, 3.0), vec2(0.0, 5.8)]);
}

fn keys(pen: &Pen<'_>) {
    let frame = Rect::from_center_size(pen.at, vec2(14.0, 10.0));
    pen.painter.rect_stroke(frame, 2.0, pen.stroke, eframe::egui::StrokeKind::Middle);
    for x in [-4.0, -1.3, 1.3, 4.0] {
        pen.dot(vec2(x, -1.8), 0.8);
    }
    pen.line(&[vec2(-3.0, 2.0), vec2(3.0, 2.0)]);
}

fn copy(pen: &Pen<'_>) {
    let front = Rect::from_min_max(pen.at + vec2(-2.0, -2.0), pen.at + vec2(5.0, 5.5));
    pen.painter.rect_stroke(front, 1.5, pen.stroke, eframe::egui::StrokeKind::Middle);
    pen.line(&[vec2(-2.0, 2.5), vec2(-5.0, 2.5), vec2(-5.0, -5.5), vec2(2.0, -5.5), vec2(2.0, -2.0)]);
}

fn again(pen: &Pen<'_>) {
    let arc = (0..=20_u8).map(|step| Vec2::angled((-50.0 + 290.0 * f32::from(step) / 20.0).to_radians()) * 4.8);
    pen.line(&arc.collect::<Vec<_>>());
    pen.line(&[vec2(0.6, -6.4), vec2(3.4, -3.6), vec2(-0.2, -2.2)]);
}

fn braces(pen: &Pen<'_>) {
    for side in [-1.0, 1.0] {
        let at = |x: f32, y: f32| vec2(side * x, y);
        pen.curve([at(2.0, -5.5), at(4.5, -5.5), at(2.5, -0.5), at(5.5, 0.0)]);
        pen.curve([at(5.5, 0.0), at(2.5, 0.5), at(4.5, 5.5), at(2.0, 5.5)]);
    }
}
